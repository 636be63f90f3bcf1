import { useFormats, usePage } from '../../lib/page.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Says that the results come from the offline cache, and how old they are. */
export function KeptResults({ since }: { since: string | null | undefined }) {
  const { t } = usePage();
  const { dateTime } = useFormats();
  return since ? <Notice kind="process" role="status" title={t('map.keptResults', { time: dateTime(since) })} /> : null;
}
