/**
 * The languages of the pages, by the names that their readers know. Sources may write the names of months, weekdays and
 * countries in them.
 */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français', ja: '日本語' } as const;
