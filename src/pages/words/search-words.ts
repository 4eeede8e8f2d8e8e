import type { Language } from '../../catalogue/model.ts';

/** What people call dates in a search. `{n}` is a number, `{weekday}`, `{month}` and `{season}` are names. */
export type DatePhrase =
  | 'date'
  | 'dayOfMonth'
  | 'month'
  | 'quarter'
  | 'season'
  | 'nextSeason'
  | 'days'
  | 'weeks'
  | 'months'
  | 'nextDays'
  | 'dayAfterTomorrow'
  | 'nextWeekend'
  | 'nextWeek'
  | 'nextMonth'
  | 'nextYear'
  | 'nextWeekday'
  | 'weekend'
  | 'week'
  | 'thisMonth'
  | 'thisYear'
  | 'tomorrow'
  | 'today'
  | 'weekday'
  | 'bareMonth'
  | 'year';

/** The words of a language that search understands. `|` separates several ways to say something. */
export interface SearchWords {
  /** Words that mean nothing in a search. */
  readonly stop: string;
  /** The first numbers. */
  readonly numbers: readonly string[];
  /** Spring, summer, autumn and winter. */
  readonly seasons: readonly [string, string, string, string];
  readonly phrases: Readonly<Partial<Record<DatePhrase, string>>>;
}

const en: SearchWords = {
  stop: 'a an and any are around at be coming date dates do does during event events for from happening happens has have i in is it me my near next of on or the there this to upcoming up what whats when whens where which who will with',
  numbers: ['one|a', 'two', 'three', 'four', 'five', 'six'],
  seasons: ['spring', 'summer', 'autumn|fall', 'winter'],
  phrases: {
    date: '{day} {month} {year}|{month} {day} {year}',
    dayOfMonth: '{day} {month}|{month} {day}',
    month: '{month} {year}|{year} {month}',
    quarter: 'q{q} {year}|{year} q{q}|quarter {q} {year}',
    season: '{season} {year}',
    nextSeason: 'next {season}|this {season}',
    days: 'in {n} days?|{n} days from now',
    weeks: 'in {n} weeks?|{n} weeks from now',
    months: 'in {n} months?',
    nextDays: 'next {n} days|coming {n} days',
    dayAfterTomorrow: 'day after tomorrow',
    nextWeekend: 'next weekend|weekend after next',
    nextWeek: 'next week',
    nextMonth: 'next month',
    nextYear: 'next year',
    nextWeekday: 'next {weekday}',
    weekend: 'this weekend|weekend|this week end',
    week: 'this week',
    thisMonth: 'this month',
    thisYear: 'this year',
    tomorrow: 'tomorrow|tomorrow night|tomorrow evening|tmrw',
    today: 'today|tonight|this evening|this afternoon',
    weekday: 'this {weekday}|{weekday}',
    bareMonth: '{month}',
    year: '{year}',
  },
};

const de: SearchWords = {
  stop: 'alle als am an auf bei beginnt bin das dem den der des die diese diesem diesen dieser dieses ein eine einem einen einer es findet fur gibt hat ich im in ist mein mir mit nachste nachsten nachster nachstes nahe oder sind statt termin termine um und vom von wann war was welche wer wird wo zu zum zur',
  numbers: ['ein|einem|einer', 'zwei', 'drei', 'vier', 'funf', 'sechs'],
  seasons: ['fruhling|fruhjahr', 'sommer', 'herbst', 'winter'],
  phrases: {
    date: '{day} {month} {year}',
    dayOfMonth: '{day} {month}',
    month: '{month} {year}',
    quarter: 'q{q} {year}|{q} quartal {year}',
    season: '{season} {year}',
    nextSeason: 'nachste[rn]? {season}|diese[rn]? {season}',
    days: 'in {n} tag(?:en)?',
    weeks: 'in {n} wochen?',
    months: 'in {n} monat(?:en)?',
    nextDays: 'nachsten? {n} tagen?',
    dayAfterTomorrow: 'ubermorgen',
    nextWeekend: 'nachste[sn]? wochenende',
    nextWeek: 'nachste[rn]? woche|kommende[rn]? woche',
    nextMonth: 'nachste[rn]? monat',
    nextYear: 'nachste[sn]? jahr',
    nextWeekday: 'nachste[rn]? {weekday}',
    weekend: 'diese[sm]? wochenende|wochenende|kommendes wochenende',
    week: 'diese[r]? woche',
    thisMonth: 'diese[rnm]? monat',
    thisYear: 'diese[s]? jahr|dieses jahr',
    tomorrow: 'morgen|morgen abend|morgen fruh',
    today: 'heute|heute abend|heute nacht|heut',
    weekday: 'diese[rn]? {weekday}|kommende[rn]? {weekday}|{weekday}',
    bareMonth: '{month}',
    year: '{year}',
  },
};

const es: SearchWords = {
  stop: 'a al cerca como con cual cuando cuanto de del donde el empieza en es esta estas este estos evento eventos fecha fechas hay la las lo los mi o para por proxima proximas proximo proximos que quien sera son un una y',
  numbers: ['un|una', 'dos', 'tres', 'cuatro', 'cinco', 'seis'],
  seasons: ['primavera', 'verano', 'otono', 'invierno'],
  phrases: {
    date: '{day} {month} {year}',
    dayOfMonth: '{day} {month}',
    month: '{month} {year}',
    quarter: 'q{q} {year}|t{q} {year}|{q}(?:er|o)? trimestre {year}',
    season: '{season} {year}',
    nextSeason: 'proxim[oa] {season}|este {season}|esta {season}',
    days: 'en {n} dias?|dentro de {n} dias?',
    weeks: 'en {n} semanas?|dentro de {n} semanas?',
    months: 'en {n} mes(?:es)?|dentro de {n} mes(?:es)?',
    nextDays: 'proximos {n} dias',
    dayAfterTomorrow: 'pasado manana',
    nextWeekend: 'proximo fin semana|fin semana que viene',
    nextWeek: 'proxima semana|semana que viene|semana proxima',
    nextMonth: 'proximo mes|mes que viene',
    nextYear: 'proximo ano|ano que viene',
    nextWeekday: 'proximo {weekday}|{weekday} que viene',
    weekend: 'este fin semana|fin semana|finde',
    week: 'esta semana',
    thisMonth: 'este mes',
    thisYear: 'este ano',
    tomorrow: 'manana',
    today: 'hoy|esta noche|esta tarde',
    weekday: 'este {weekday}|{weekday}',
    bareMonth: '{month}',
    year: '{year}',
  },
};

const fr: SearchWords = {
  stop: 'a au aura aux avec ce ces cet cette chez dans date dates de des du en est et evenement evenements il la le les lieu ma mes mon ou par pour pres prochain prochaine prochaines prochains qu quand que quel quelle qui quoi sera sont sur un une y',
  numbers: ['un|une', 'deux', 'trois', 'quatre', 'cinq', 'six'],
  seasons: ['printemps', 'ete', 'automne', 'hiver'],
  phrases: {
    date: '{day} {month} {year}',
    dayOfMonth: '{day} {month}',
    month: '{month} {year}',
    quarter: 'q{q} {year}|t{q} {year}|{q}(?:er|e|eme)? trimestre {year}',
    season: '{season} {year}',
    nextSeason: '{season} prochain|prochain {season}|cet? {season}',
    days: 'dans {n} jours?',
    weeks: 'dans {n} semaines?',
    months: 'dans {n} mois',
    nextDays: '{n} prochains jours',
    dayAfterTomorrow: 'apres demain',
    nextWeekend: 'week end prochain|weekend prochain|prochain week ?end',
    nextWeek: 'semaine prochaine|prochaine semaine',
    nextMonth: 'mois prochain|prochain mois',
    nextYear: 'annee prochaine|an prochain',
    nextWeekday: '{weekday} prochain|prochain {weekday}',
    weekend: 'ce week ?end|week end|weekend',
    week: 'cette semaine',
    thisMonth: 'ce mois ci|ce mois',
    thisYear: 'cette annee',
    tomorrow: 'demain|demain soir',
    today: 'aujourdhui|ce soir|cet apres midi',
    weekday: 'ce {weekday}|{weekday}',
    bareMonth: '{month}',
    year: '{year}',
  },
};

const ja: SearchWords = {
  stop: 'の に は を が で と も から まで へ いつ どこ 何 次 次の 今度 今度の 予定 日程 開催 近く イベント',
  numbers: ['一', '二', '三', '四', '五', '六'],
  seasons: ['春', '夏', '秋', '冬'],
  phrases: {
    date: '{year}年{month}{day}日',
    dayOfMonth: '{month}{day}日',
    month: '{year}年{month}|{month} {year}',
    quarter: '{year}年第{q}四半期|q{q} {year}',
    season: '{year}年の?{season}',
    nextSeason: '来年の{season}|今年の{season}|次の{season}|今度の{season}',
    days: '{n}日後',
    weeks: '{n}週間後',
    months: '{n} ?[かヶカケ]月後',
    dayAfterTomorrow: '明後日|あさって',
    nextWeekend: '来週末|来週の週末|次の週末',
    nextWeek: '来週|次の週',
    nextMonth: '来月',
    nextYear: '来年',
    nextWeekday: '来週の{weekday}|次の{weekday}',
    weekend: '今週末|今週の週末|週末',
    week: '今週',
    thisMonth: '今月',
    thisYear: '今年',
    tomorrow: '明日|あした|明日の夜',
    today: '今日|きょう|今夜|今晩|本日',
    weekday: '今週の{weekday}|{weekday}',
    bareMonth: '{month}',
    year: '{year}年?',
  },
};

/** The words of search in every language of the pages. People also search in a language that the page is not in. */
export const searchWords: Readonly<Record<Language, SearchWords>> = { en, de, es, fr, ja };
