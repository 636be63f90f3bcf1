import { useFormats, usePage } from '../../lib/page.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Says that what is shown is what was kept, and since when. */
export function KeptResults({ since }: { since: string | null | undefined }) {
  const { t } = usePage();
  const { dateTime } = useFormats();
  return since ? <Notice kind="process" role="status" title={t('map.keptResults', { time: dateTime(since) })} /> : null;
}
