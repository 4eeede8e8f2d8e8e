/*
 * What people are reached by is never published unless a mapping names its column: e-mail addresses,
 * telephone numbers, and addresses at which only members may meet.
 */

/** Whether a text has the address of a meeting, or one with a secret in it. */
function isForMembers(text: string): boolean {
  return secretAddress.test(text) || meeting.test(text);
}

/** Whether a text says what not everybody should read. */
export function isPersonal(text: string): boolean {
  return isForMembers(text) || withoutContacts(text) !== text;
}

/** Returns a text without the contacts in it, and without the marks around them. */
export function withoutContacts(text: string): string {
  const rest = text
    .replaceAll(mail, ' ')
    .split(otherDigits)
    .map((part, place) => {
      if (place % 2 === 0) return part.replaceAll(telephone, ' ');
      return isForMembers(part) ? ' ' : part;
    })
    .join('');
  return rest === text ? text : withoutEdges(rest);
}

/** Names the contacts that a text has. */
export function contactsIn(text: string): string {
  if (/:\/\//.test(text) || isForMembers(text)) return 'a link';
  return text.includes('@') ? 'an e-mail address' : 'a telephone number';
}

/** Returns a text without the marks that stood around what was taken out of it. */
export function withoutEdges(text: string): string {
  return text
    .replaceAll(/[([<]\s*[)\]>]|(?<=\s)[)\]>]/g, '')
    .replaceAll(/^[\s,;|(:/–-]+|[\s,;|(:/–-]{1,50}$/g, '')
    .replaceAll(/\s+/g, ' ');
}

// Each repetition has a limit, so that a long text takes time in proportion to its length.
const secretAddress =
  /:\/\/[^\s/?#]*@|\/private-|[?&#](?:\w*token|auth|\w*secret|pass(?:word|wd|code)?|pwd|sig|signature|(?:api_?)?key|jwt|session(?:id)?|sid)=/i;
/** Addresses at which people join a meeting or edit a document. */
const meeting =
  /(?:^|[\s/(])(?:[\w-]+\.)*(?:zoom\.us\/(?:j|my|s|w)\/|meet\.google\.com\/\w|teams\.(?:microsoft|live)\.com\/(?:l\/meetup-join|meet)|webex\.com\/\S{0,200}(?:meet|join|mtid)|gotomeet(?:ing)?\.(?:com|me)\/|whereby\.com\/\w|meet\.jit\.si\/\w|docs\.google\.com\/\S{0,200}\/edit)|[?&]edit2=/i;

const label = String.raw`(?:\b(?:tel(?:efon|ephone|efono)?|phone|mobile?|handy|fax|call|e-?mail|mail|contact|kontakt|rsvp)\b[.:]*\s*)?`;
/** An e-mail address, a telephone number in the pairs of France, or how to join a meeting. */
const mail = new RegExp(
  String.raw`${label}(?:(?:\bmailto:)?[^\s@<>,;:()]{1,64}@[^\s@<>,;()]{1,250}\.[a-z]{2,}|\b0[1-9](?:[ .-]\d\d){4}\b|\b(?:meeting[ -]id|pass(?:code|word|wort)|kenn(?:code|wort)|mot de passe|contraseña)\s{0,5}[:=]\s{0,5}(?:\d[\d ]{0,20}\d|\S+))`,
  'gi',
);
/** With the code of a country, of a town, or in the groups of North America. */
const telephone = new RegExp(
  String.raw`${label}(?:(?:\+|\b00)[1-9][\d ()/.-]{5,20}\d|(?<![\d.,])\(?0[1-9][\d ()/.-]{5,20}\d|\(?\b\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b)(?:,{1,2}[\d#*]{1,20}){0,5}`,
  'gi',
);
/** Addresses, dates and times have many digits too. */
const otherDigits =
  /((?:\w{1,20}:\/\/|\b[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\/)\S+|\d{4}-\d\d-\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}[.:]\d\d(?!\d)|\d{4}[-–/]\d{4}\b)/;
