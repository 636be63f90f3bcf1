interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** Somebody who counts every kilobyte is given nothing ahead of time; what they look at is cached all the same. */
export function isDataDear(): boolean {
  const { saveData, effectiveType = '' } = (navigator as { connection?: Connection }).connection ?? {};
  return saveData === true || effectiveType.endsWith('2g');
}
