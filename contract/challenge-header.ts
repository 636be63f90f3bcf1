/** Apart from the schemas, because scripts of the web send it and have no use for the rest. */
export const challengeHeader = 'x-challenge';

/** `work`: the eight numbers in base 36 with dashes between; `answer`: the sum. */
export const challengeAnswer = (token: string, by: 'work' | 'answer', given: string) => `${token}.${by}.${given}`;
