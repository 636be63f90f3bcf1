import { useLanguage } from './language.tsx';

/** Text for an act of the audit; proposals and decisions are named by their kind. */
export function useActWords(): (act: string) => string {
  const { say, sayOr } = useLanguage();
  return (act) => {
    const words = sayOr(`act.${act}`);
    const [kind = '', step = ''] = act.split('.');
    if (words !== `${kind} ${step}`) return words;
    return say('audit.step', { step: sayOr(`step.${step}`), what: sayOr(`approvals.kind.${kind}`) });
  };
}
