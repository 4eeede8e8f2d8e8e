/**
 * Whether a title contains the name of its subject: as whole words, or anywhere in scripts without
 * capital letters.
 */
export function isNamedIn(title: string, subject: string): boolean {
  const text = title.toLowerCase();
  const name = subject.toLowerCase();
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!endsInWord.test(text.slice(0, at)) && !beginsInWord.test(text.slice(at + name.length)))
      return true;
  }
  return false;
}

/**
 * Returns a title with the name of its subject in front, or only the title if it contains the name.
 */
export function fullTitle(title: string, subject: string): string {
  if (isNamedIn(title, subject)) return title;
  return `${subject}: ${title}`;
}

// Compiled once: compiling one for every subject took a fifth of the time of a small build.
const partOfWord = String.raw`[\p{LC}\p{M}\p{Nd}]`;
const endsInWord = new RegExp(`${partOfWord}$`, 'u');
const beginsInWord = new RegExp(`^${partOfWord}`, 'u');
