import { SharedPhone } from '../features/shared-phone/shared-phone.tsx';
import { Bars, TypedKept } from '../offline/bars.tsx';
import { ToastRegion } from '../ui/toast.tsx';
import { DialogHistory } from './dialog-history.tsx';
import { fetchAnnouncements, loadScreen, prepare } from './navigation.ts';
import { PageLoader } from './page-loader.tsx';
import { recordTimings } from './page-timings.ts';

/** Parts a page needs only after hydration, in one lazy script: the form comes first. */
export const lazyParts = {
  fetchAnnouncements,
  loadScreen,
  Bars,
  DialogHistory,
  PageLoader,
  prepare,
  recordTimings,
  SharedPhone,
  ToastRegion,
  TypedKept,
};

export type LazyParts = typeof lazyParts;
