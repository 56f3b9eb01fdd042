const longest = 200;

/** Controls, line breaks, and the marks that could turn round the text around them; not the plain LRM and RLM. */
const disturbing = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Text from the service for one line of a page: of bounded length, and unable to disturb its neighbours. */
export function displayText(text: string): string {
  const clean = text.slice(0, longest + 1).replace(disturbing, '\ufffd');
  return clean.length <= longest ? clean : `${clean.slice(0, longest).toWellFormed()}…`;
}
