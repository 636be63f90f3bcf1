/** The town in a time zone's name: nobody says Indian/Antananarivo. */
export const placeOf = (timeZone: string): string => (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
