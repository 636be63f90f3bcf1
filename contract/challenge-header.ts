/** Apart from the schemas, because the web's scripts send it and do not need zod. */
export const challengeHeader = 'x-challenge';

/** `work`: the eight numbers in base 36, joined by dashes; `answer`: the sum. */
export const challengeAnswer = (token: string, by: 'work' | 'answer', given: string) => `${token}.${by}.${given}`;
