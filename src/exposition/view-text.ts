import type { AccountView } from './catalogue/family.ts';
import { viewFamilies } from './catalogue/view-families.ts';
import { familyHeader } from './family-header.ts';
import type { Format } from './format.ts';
import { commonLabelText, SampleWriter } from './sample-writer.ts';

/** The families that are read from the accounts at the moment of the scrape. */
export function viewText(
  accounts: readonly AccountView[],
  nowSeconds: number,
  format: Format,
): string {
  let text = '';
  for (const family of viewFamilies) {
    const writer = new SampleWriter(family);
    for (const view of accounts) {
      writer.common = commonLabelText({ account: view.snapshot.account });
      family.samples(view, writer.emit, nowSeconds);
    }
    if (writer.series > 0) text += familyHeader(family, format) + writer.text;
  }
  return text;
}
