type Headers = Readonly<Record<string, string>>;
type NameAndValue = readonly [name: string, value?: string];

function limitsAs(...limits: readonly [short: NameAndValue, long: NameAndValue] | []) {
  return ({
    'Req-Limit-Short': shortValue = '',
    'Req-Limit-Long': longValue = '',
    ...others
  }: Headers): Record<string, string> => {
    const [short, long] = limits;
    if (short === undefined || long === undefined) return others;
    return {
      ...others,
      [short[0]]: short[1] ?? shortValue,
      [long[0]]: long[1] ?? longValue,
    };
  };
}

/** Limit headers as some service or proxy may send them. */
export const limitHeaderForms = {
  absent: limitsAs(),
  malformed: limitsAs(
    ['Req-Limit-Short', 'Remaining: many Time until reset: soon'],
    ['Req-Limit-Long', 'unlimited'],
  ),
  oddCase: limitsAs(['rEQ-lIMIT-sHORT'], ['REQ-LIMIT-LONG']),
  dotted: limitsAs(['req-limit.short'], ['req-limit.long']),
};
