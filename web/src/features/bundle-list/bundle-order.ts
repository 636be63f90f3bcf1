import type { Bundle } from '@portal/domain/bundle.ts';
import type { LineRequest } from '@portal/domain/line-types.ts';
import type { QueryData } from '../../lib/session.ts';

/** The line a bundle is for. */
export interface BundleLine {
  msisdn: string;
  lineType: string;
}

/** Where a bundle is bought: its page, what that page sells, and how the order is labelled. */
export interface BundleFlow {
  page: string;
  serviceType: 'ALL' | 'BROADBAND';
  rechargeType?: string;
  /** The rechargeType that the line's bundles are requested with. */
  requestType: LineRequest;
}

/** A hybrid line buys both kinds, so there the bundle decides. */
export function bundleOrder(
  bundle: Bundle,
  line: BundleLine,
  where: { redirectPage: string; rechargeType?: string },
): QueryData {
  const { amount, description, data, dataUnit, productCode, currency } = bundle;
  const isPostpaid = line.lineType === 'POSTPAID' || bundle.lineType === 'POSTPAID';
  const content = data ? { data, ...(dataUnit ? { dataUnit } : {}) } : {};
  return {
    msisdn: line.msisdn,
    amount,
    currency,
    lineType: line.lineType,
    transactionType: isPostpaid ? 'POSTPAID_BUNDLES' : 'PREPAID_BUNDLES',
    productCode,
    description,
    ...content,
    bundleInfo: { amount, lineType: line.lineType, description, ...content },
    redirectPage: where.redirectPage,
    ...(where.rechargeType ? { rechargeType: where.rechargeType } : {}),
  };
}
