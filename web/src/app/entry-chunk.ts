// Nearly every screen uses these: they are bundled with the entry, because another request costs more than their
// bytes.
import '@portal/domain/line-types.ts';
import '../features/recent-purchases/recents.ts';
import '../features/toast/use-toast.ts';
import '../lib/use-call.ts';
import '../ui/card.tsx';
import '../ui/chip.tsx';
import '../ui/field.tsx';
import '../ui/number-field.tsx';
import '../ui/page-icons.tsx';
import '../ui/skeleton.tsx';
