/** The city of a time zone's name, for readers: Antananarivo, not Indian/Antananarivo. */
export const placeOf = (timeZone: string): string => (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
