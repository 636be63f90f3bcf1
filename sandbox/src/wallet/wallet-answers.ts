/** The wallet's response codes, by meaning. */
export const responseCodes = {
  success: 'DP00800001001',
  wrongPin: 'DP00800001002',
  invalidAmount: 'DP00800001004',
  inProcess: 'DP00800001006',
  insufficientFunds: 'DP00800001007',
  declined: 'DP00800001008',
  walletLocked: 'DP00800001010',
  invalidNumber: 'DP00800001012',
  notFound: 'DP00800001025',
  badSignature: 'DP00800001026',
  expired: 'DP00800001029',
  alreadyRefunded: 'DP00800001041',
} as const;

/** In no client's table: tests how a client handles an unlisted code. */
export const unlistedCode = 'DP00800009999';

type ResponseCode = (typeof responseCodes)[keyof typeof responseCodes];

const resultCodes = {
  success: 'ESB000010',
  failed: 'ESB000011',
  invalidField: 'ESB000008',
  duplicateId: 'ESB000041',
  notFound: 'ESB000045',
} as const;

export interface WalletStatus {
  code: string;
  message: string;
  result_code: string;
  response_code?: string;
  success: boolean;
}

export function accepted(responseCode: ResponseCode, message = 'SUCCESS'): WalletStatus {
  return { code: '200', message, result_code: resultCodes.success, response_code: responseCode, success: true };
}

export function refused(responseCode: string, message: string): { status: WalletStatus } {
  const result_code = responseCode === responseCodes.notFound ? resultCodes.notFound : resultCodes.failed;
  return { status: { code: '400', message, result_code, response_code: responseCode, success: false } };
}

export function invalidField(message: string): { status: WalletStatus } {
  return { status: { code: '400', message, result_code: resultCodes.invalidField, success: false } };
}

export function duplicateId(): { status: WalletStatus } {
  const message = 'The transaction id was already used.';
  return { status: { code: '400', message, result_code: resultCodes.duplicateId, success: false } };
}
