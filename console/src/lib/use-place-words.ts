import { useLanguage } from './language.tsx';
import type { Trail } from './package-tree.ts';

/** Label of a field. */
export function useFieldName(): (step: string | number | undefined) => string {
  const { sayOr } = useLanguage();
  return (step) => (typeof step === 'string' ? sayOr(`field.${step}`) : String(step ?? ''));
}

/** The text that identifies an item among others. */
export function summaryOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  const { title, label, question, name, id } = value as Record<string, unknown>;
  return String([title, label, question, name, id].find((one) => typeof one === 'string' && one) ?? '');
}

const mostLetters = 40;
const short = (text: string) => (text.length > mostLetters ? `${text.slice(0, mostLetters).trim()}…` : text);

/** A path as text: Groups › Services › Links › Contact › Link. */
export function usePlaceWords(): (trail: Trail) => string {
  const { say, sayOr } = useLanguage();
  const fieldName = useFieldName();
  const words = (step: Trail[number]): string => {
    if (typeof step === 'string') return fieldName(step);
    if ('key' in step) {
      const [group = '', ...rest] = step.key.split('.');
      return `${sayOr(`textGroup.${group}`)} › ${step.says ? `“${short(step.says)}”` : rest.join(' ')}`;
    }
    const summary = summaryOf(step.item);
    return summary ? short(summary) : say('content.item', { number: step.index + 1 });
  };
  return (trail) => trail.map(words).join(' › ') || say('content.items');
}
