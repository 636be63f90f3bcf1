import { leadStages } from '@portal/domain/lead/lead-stage.ts';
import { leadStatuses } from '@portal/domain/lead/lead-status.ts';
import { useLanguage } from './language.tsx';
import { leadColumnTexts } from './lead-columns.ts';

/** The words of an exported table: the server has none of this page. */
export function useLeadTableWords(): Record<string, string> {
  const { say } = useLanguage();
  return Object.fromEntries([
    ...Object.entries(leadColumnTexts).map(([name, key]) => [`column.${name}`, say(key)]),
    ...leadStatuses.map((status) => [`status.${status}`, say(`lead.${status}`)]),
    ...leadStages.map((stage) => [`stage.${stage}`, say(`leadStage.${stage}`)]),
    ['yes', say('leads.yes')],
    ['no', say('leads.no')],
  ]);
}
