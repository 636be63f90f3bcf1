import { useLanguage } from './language.tsx';

/** Text for a flow's outcome as counted by browsers: a status or an error code; an unknown one is quoted. */
export function useOutcomeWords(): (code: string) => string {
  const { say, sayOr } = useLanguage();
  return (code) => {
    if (code === '') return '';
    const words = sayOr(`flowOutcome.${code}`);
    return words === code ? say('flowOutcome.other', { code }) : words;
  };
}
