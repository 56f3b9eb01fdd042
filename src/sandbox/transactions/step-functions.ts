/** The functions of a script's steps, actions first, with the arguments each requires (API 3.1, section 2.11). */
const script = {
  go_to: ['url'],
  click: ['element'],
  fill: ['input', 'value'],
  check: ['checkbox'],
  uncheck: ['checkbox'],
  sleep: ['seconds'],
  select_radio: ['radio'],
  select: ['select', 'option'],
  basic_auth: ['username', 'password'],
  submit: ['form'],
  wait_for_element: ['element'],
  wait_for_contains: ['element', 'value'],
  url: ['url'],
  exists: ['element'],
  not_exists: ['element'],
  contains: ['element', 'value'],
  not_contains: ['element', 'value'],
  field_contains: ['input', 'value'],
  field_not_contains: ['input', 'value'],
  is_checked: ['checkbox'],
  is_not_checked: ['checkbox'],
  radio_selected: ['radio'],
  dropdown_selected: ['select', 'option'],
  dropdown_not_selected: ['select', 'option'],
} as const;

/** The same for the steps of a recording. */
const recording = {
  wpm_go_to: ['url'],
  wpm_click: ['element', 'offsetX', 'offsetY'],
  wpm_click_xy: ['element', 'x', 'y', 'scrollX', 'scrollY'],
  wpm_fill: ['input', 'value'],
  wpm_move_mouse_to_element: ['element', 'offsetX', 'offsetY'],
  wpm_select_dropdown: ['select', 'option'],
  wpm_wait: ['seconds'],
  wpm_close_tab: [],
  wpm_contains_timeout: ['element', 'value', 'waitTime', 'useRegularExpression'],
  wpm_not_contains_timeout: ['element', 'value', 'waitTime', 'useRegularExpression'],
} as const;

export const transactionKinds = ['script', 'recording'] as const;
export type TransactionKind = (typeof transactionKinds)[number];

const requiredArguments: Readonly<Record<string, readonly string[]>> = { ...script, ...recording };
const knownArguments: ReadonlySet<string> = new Set(Object.values(requiredArguments).flat());

/** `undefined` for a function there is not. */
export function argumentsRequiredBy(fn: string): readonly string[] | undefined {
  return Object.hasOwn(requiredArguments, fn) ? requiredArguments[fn] : undefined;
}

export function isArgument(name: string): boolean {
  return knownArguments.has(name);
}

/** The kind of transaction whose step `fn` is. */
export function kindOfFunction(fn: string): TransactionKind {
  return Object.hasOwn(recording, fn) ? 'recording' : 'script';
}
