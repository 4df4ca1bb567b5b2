import { CodedError } from '../../kernel/errors.ts';
import { mapSliced } from '../../kernel/sliced.ts';
import { scanUrls } from '../../scan/scanUrls.ts';
import { urlsOf } from './destinationsOf.ts';
import type { LinkInput } from './linkInput.ts';

/** Scans the URLs of what passed so far: those with a bad one become refusals, the others know whether all was asked. */
export async function scanInputs<One extends { input: LinkInput; isScanned: boolean }>(
  checked: (One | CodedError)[],
): Promise<(One | CodedError)[]> {
  const results = await scanUrls(
    await mapSliced(checked, (one) => (one instanceof CodedError ? [] : urlsOf(one.input))),
  );
  return checked.map((one, index) => {
    const scan = results[index];
    if (one instanceof CodedError || !scan) return one;
    return scan.refusal ?? { ...one, isScanned: scan.isComplete };
  });
}
