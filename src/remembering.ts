/** The same function, which remembers its latest answers; so many that memory stays bounded. */
export function remembering<T>(answer: (question: string) => T): (question: string) => T {
  const answers = new Map<string, T>();
  return (question) => {
    const known = answers.get(question);
    if (known !== undefined) return known;
    if (answers.size === mostRemembered) answers.clear();
    const found = answer(question);
    answers.set(question, found);
    return found;
  };
}

const mostRemembered = 10_000;
