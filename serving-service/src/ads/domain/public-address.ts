import type { Creative } from '@placard/service-kit/pure';

/**
 * A creative as its client needs it. Addresses that are paths name files and pages of the product: they begin with the
 * address under which the client reached it. Every other creative stays the same object.
 * Contract: docs/contract/selection.md#files-of-the-product.
 */
export function atPublicAddress(creative: Creative, publicBaseUrl: string): Creative {
  if (!isPath(creative.url)) return creative;
  const baseUrl = publicBaseUrl.replace(/\/+$/, '');
  const complete = (address: string): string => (isPath(address) ? baseUrl + address : address);
  return { ...creative, url: complete(creative.url), clickUrl: complete(creative.clickUrl) };
}

function isPath(address: string): boolean {
  return address.startsWith('/');
}
