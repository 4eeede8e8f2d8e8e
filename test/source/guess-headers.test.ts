import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { guessTable } from '../../src/authoring/guess.ts';

/*
 * Headers of exports and forms as their programs write them, with a cell of each kind, and what is
 * published of each. `!` at the end stands for a question that must be answered first.
 */
const cells: readonly (readonly [name: RegExp, cell: string])[] = [
  [/mail|courriel|correo|メール/i, 'pia@example.org'],
  [/phone|telefon|téléphone|teléfono|電話/i, '+49 30 1234567'],
  [
    /time ?stamp|zeitstempel|horodateur|marca temporal|タイムスタンプ|created|updated/i,
    '2026-09-01 10:00:00',
  ],
  [/start.*time|^start at|beginn$|heure|hora|uhrzeit|開始時間|beginnt um|début à/i, '19:30'],
  [/end.*time|^end at|ende$|endet um|fin à/i, '21:30'],
  [
    /date|datum|fecha|開催日|beginnt am|endet am|début le|fin le|when|^start|^end|deadline|wann/i,
    '2027-03-05',
  ],
  [
    /all.?day|private|privat|privé|hide|featured|map link|reminder on|currency|show map|journée|ganzt/i,
    'False',
  ],
  [/url|website|link|image/i, 'https://example.org/x'],
  [/cost|price|capacity|quantity|count|attendee|sold|id$|show time as/i, '12'],
  [/zone/i, 'Europe/Berlin'],
  [/status/i, 'confirmed'],
  [/country|pays/i, 'DE'],
];
const cellOf = (name: string): string =>
  cells.find(([test]) => test.test(name))?.[1] ?? 'Some text';

function published(header: string): string {
  const names = header.split('|');
  const body = [{ cells: names.map(cellOf) }, { cells: names.map(cellOf) }];
  const { mapping, problems } = guessTable({ names, body }, {}, 'table');
  const columns = Object.entries(mapping.columns ?? {}).map(([name, field]) => `${name}=${field}`);
  return [...columns.toSorted(), ...problems.map(({ code }) => `${code}!`)].join(', ');
}

const headers: readonly string[] = [
  // Outlook, in three languages
  'Subject|Start Date|Start Time|End Date|End Time|All day event|Reminder on/off|Meeting Organizer|Required Attendees|Billing Information|Location|Mileage|Priority|Private|Show time as',
  'Betreff|Beginnt am|Beginnt um|Endet am|Endet um|Ganztägiges Ereignis|Ort|Privat|Beschreibung',
  'Objet|Début le|Début à|Fin le|Fin à|Journée entière|Emplacement|Privé',
  // Google Calendar
  'Subject|Start Date|Start Time|End Date|End Time|All Day Event|Description|Location|Private',
  'Subject|Start Date|Start Time|End Date|End Time|All Day Event|Description|Location|Created|Updated',
  'Subject|Start Date|Start Time|End Date|End Time|All Day|Description|Location|UID',
  // The Events Calendar, and other importers of WordPress
  'Event Name|Event Venue Name|Event Organizer Name(s) or ID(s)|Event Start Date|Event Start Time|Event End Date|Event End Time|All Day Event|Event Cost|Event Currency Symbol|Event Category|Event Website|Event Show Map Link|Event Description',
  'Event Venue Name|Event Organizer Name|Event Name|Event Start Date|Event Start Time|Event End Date|Event Description|Timezone|tag',
  'Event Name|Event Start Date|Event End Date|Location|Event Description|All Day Event',
  'Venue Name|Venue Address|Venue Phone|Venue Website|Organizer Name|Organizer Email|Event Name|Event Start Date',
  'event_name|event_description|event_start_date|event_start_time|event_end_date|event_end_time|location_name|event_organizer|evcal_org_contact|image_url',
  // Eventbrite, Meetup, TeamUp, Airtable, Notion
  'Event Name|Event ID|Event Start Date|Event Start Time|Venue Name|Tickets Sold|Organizer Email',
  'First name|Last name|E-mail address|Business phone|Company name|Event name|Event start date',
  'Title|When|Who|Where|Description|Created|Updated by|Signup enabled',
  'Name|Start at|End at|Venue|Attendee Count|Event URL|Status',
  'Name|Date|Status|Assignee|Location|Attachments|Contact email',
  'Name|Date|Tags|Place|Created by|Created time|Last edited time',
  'Event|Start date|End date|Venue|City|Country|Website|CFP deadline|CFP link',
  // Forms in five languages
  'Timestamp|Email Address|Title of the event|Event date|Start time|Location|Phone number',
  'Timestamp|Email Address|Your full name|Name of the event|Date of the event|Where does it take place?',
  'Timestamp|Email address|Full Name|Mobile phone|Event date|Event title|Internal comments',
  'Zeitstempel|E-Mail-Adresse|Titel|Datum|Beginn|Ort',
  'Zeitstempel|E-Mail-Adresse|Dein Name|Titel der Veranstaltung|Datum der Veranstaltung|Uhrzeit|Veranstaltungsort|Telefonnummer für Rückfragen',
  'Zeitstempel|Ansprechpartner|Telefon|Veranstaltung|Wann findet die Veranstaltung statt?|Wo findet die Veranstaltung statt?|Interne Beschreibung',
  'Horodateur|Adresse e-mail|Titre|Date|Heure|Lieu',
  "Horodateur|Adresse e-mail|Nom de l'événement|Date de l'événement|Heure de début|Lieu de l'événement|Téléphone|Description interne",
  'Horodateur|Prénom|Nom|Courriel|Manifestation|Date|Salle',
  'Marca temporal|Dirección de correo electrónico|Título|Fecha|Hora|Lugar',
  'Marca temporal|Dirección de correo electrónico|Nombre del evento|Fecha del evento|Hora de inicio|Lugar del evento|Teléfono de contacto',
  'タイムスタンプ|メールアドレス|イベント名|開催日|開始時間|会場',
  'タイムスタンプ|メールアドレス|氏名|電話番号|大会名|開催日|場所',
  // Clubs, leagues, venues
  'Datum|Uhrzeit|Veranstaltung|Ort|Leitung|Kontakt',
  'Datum|Veranstaltung|Ort|Anmeldung bis|Kosten|E-Mail',
  'Title|Date|Location|Organizer email',
  'Title|Date|Location|IP address|Host',
  'Event|Date|Venue|Organiser|Organiser phone|Ticket link',
  'Date|Home Team|Away Team|Competition|Referee|Referee phone',
  'Conference|Submission deadline|Conference start date|Conference end date|City|Country|Contact',
  'Workshop|Trainer|Start date|End date|Room|Participants|Price',
  'Exhibition|Start date|End date|Gallery|Curator|Press contact email',
  'Fecha|Evento|Lugar|Organizador|Correo del organizador',
  'Zeitstempel|Veranstaltung|Datum|Ort|Dein Name|Anschrift',
];

test(`${headers.length} headers: what is published of each`, async () => {
  await expect(
    headers.map((header) => `${header}\n  ${published(header)}`).join('\n'),
  ).toMatchFileSnapshot('../fixtures/headers.txt');
});

test.each(headers)('nothing personal is published of %s', (header) => {
  const private_ =
    /mail|courriel|correo|メール|phone|telefon|téléphone|teléfono|電話|contact|kontakt|intern|^ip|first name|last name|full name|氏名|prénom|dein name/i;
  for (const column of published(header).split(', '))
    expect(column.split('=')[0]).not.toMatch(private_);
});

test('of columns whose names only resemble ours, nothing is used', () => {
  const ours = [
    'title',
    'location',
    'description',
    'organizer',
    'address',
    'tags',
    'url',
    'subject',
  ];
  const strange = [
    'email',
    'phone',
    'internal',
    'contact',
    'private',
    'mail',
    'of the treasurer',
    'token',
    'IP',
  ];
  const name = fc
    .tuple(fc.constantFrom(...ours), fc.constantFrom(...strange), fc.boolean())
    .map(([field, word, isFirst]) => (isFirst ? `${word} ${field}` : `${field} ${word}`));
  const columns = fc.uniqueArray(name, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(columns, fc.string({ minLength: 1 }), (names, cell) => {
      const all = ['Title', 'Date', ...names];
      const row = (title: string) => ({ cells: [title, '2027-03-05', ...names.map(() => cell)] });
      const { mapping } = guessTable({ names: all, body: [row('A'), row('B')] }, {}, 'table');
      expect(Object.keys(mapping.columns ?? {}).toSorted()).toEqual(['Date', 'Title']);
      expect(mapping.title).toBeUndefined();
      expect(mapping.ignore).toEqual(names);
    }),
  );
});
