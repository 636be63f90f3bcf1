interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** With data saving on, nothing is prefetched; what is viewed is cached all the same. */
export function isDataDear(): boolean {
  const { saveData, effectiveType = '' } = (navigator as { connection?: Connection }).connection ?? {};
  return saveData === true || effectiveType.endsWith('2g');
}
