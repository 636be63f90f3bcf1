import { type ScreenFolder, screens } from '@portal/domain/screens.ts';
import type { ScreenModule } from '../lib/screen.ts';

/** The script of each screen; everything else about it is declared in domain/screens.ts. */
export const screenModules: Record<ScreenFolder, () => Promise<ScreenModule>> = {
  about: () => import('../screens/about/about.screen.tsx'),
  'broadband-recharge': () => import('../screens/broadband-recharge/broadband-recharge.screen.tsx'),
  'content-page': () => import('../screens/content-page/content-page.screen.tsx'),
  'data-bundle': () => import('../screens/data-bundle/data-bundle.screen.tsx'),
  feedback: () => import('../screens/feedback/feedback.screen.tsx'),
  'fixed-internet': () => import('../screens/fixed-internet/fixed-internet.screen.tsx'),
  'hbb-lead': () => import('../screens/hbb-lead/hbb-lead.screen.tsx'),
  'hbb-lead-status': () => import('../screens/hbb-lead-status/hbb-lead-status.screen.tsx'),
  help: () => import('../screens/help/help.screen.tsx'),
  home: () => import('../screens/home/home.screen.tsx'),
  offline: () => import('../screens/offline/offline.screen.tsx'),
  'open-networks': () => import('../screens/open-networks/open-networks.screen.tsx'),
  payment: () => import('../screens/payment/payment.screen.tsx'),
  'payment-status': () => import('../screens/payment-status/payment-status.screen.tsx'),
  'postpaid-bill-pay': () => import('../screens/postpaid-bill-pay/postpaid-bill-pay.screen.tsx'),
  'prepaid-recharge': () => import('../screens/prepaid-recharge/prepaid-recharge.screen.tsx'),
  'shop-list': () => import('../screens/shop-list/shop-list.screen.tsx'),
  'store-locator': () => import('../screens/store-locator/store-locator.screen.tsx'),
  'tariff-table': () => import('../screens/tariff-table/tariff-table.screen.tsx'),
  'ui-gallery': () => import('../screens/ui-gallery/ui-gallery.screen.tsx'),
};

/** As the build's manifest names it. */
export const moduleOf = (folder: ScreenFolder): string => `src/screens/${folder}/${folder}.screen.tsx`;

/** Prefetched by the service worker: the offline page, the most visited pages, and where people look for help. */
export const precachedModules = [
  'src/app/lazy-parts.ts',
  ...screens.flatMap(({ folder, precached }) => (precached ? [moduleOf(folder), ...precached] : [])),
];
