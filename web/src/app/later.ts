import { SharedPhone } from '../features/shared-phone/shared-phone.tsx';
import { Bars } from '../offline/bars.tsx';
import { ToastRegion } from '../ui/toast.tsx';
import { arriveAt, prepare } from './arrival.ts';
import { PageLoader } from './page-loader.tsx';
import { recordTimings } from './page-timings.ts';

/** What a page needs only once it was taken over, in one script that comes while the visitor reads: the form comes first. */
export const later = { arriveAt, Bars, PageLoader, prepare, recordTimings, SharedPhone, ToastRegion };

export type Later = typeof later;
