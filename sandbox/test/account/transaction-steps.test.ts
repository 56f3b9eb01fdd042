import { expect, test } from 'vitest';
import { stepSchema, stepsSchema } from '../../src/account/transaction-settings.ts';

/** API 3.1, section 2.11. */
const documented = {
  go_to: 'url',
  click: 'element',
  fill: 'input, value',
  check: 'checkbox',
  uncheck: 'checkbox',
  sleep: 'seconds',
  select_radio: 'radio',
  select: 'select, option',
  basic_auth: 'username, password',
  submit: 'form',
  wait_for_element: 'element',
  wait_for_contains: 'element, value',
  url: 'url',
  exists: 'element',
  not_exists: 'element',
  contains: 'element, value',
  not_contains: 'element, value',
  field_contains: 'input, value',
  field_not_contains: 'input, value',
  is_checked: 'checkbox',
  is_not_checked: 'checkbox',
  radio_selected: 'radio',
  dropdown_selected: 'select, option',
  dropdown_not_selected: 'select, option',
  wpm_go_to: 'url',
  wpm_click: 'element, offsetX, offsetY',
  wpm_click_xy: 'element, x, y, scrollX, scrollY',
  wpm_fill: 'input, value',
  wpm_move_mouse_to_element: 'element, offsetX, offsetY',
  wpm_select_dropdown: 'select, option',
  wpm_wait: 'seconds',
  wpm_close_tab: '',
  wpm_contains_timeout: 'element, value, waitTime, useRegularExpression',
  wpm_not_contains_timeout: 'element, value, waitTime, useRegularExpression',
};

const cases = Object.entries(documented).map(
  ([fn, names]) => [fn, names === '' ? [] : names.split(', ')] as const,
);

test.each(cases)('step %s takes exactly the documented arguments %s', (fn, names) => {
  const args = Object.fromEntries(names.map((name) => [name, '1']));

  expect(stepSchema.safeParse({ fn, args }).success).toBe(true);
  for (const missing of names) {
    const { [missing]: _left, ...rest } = args;
    const { error } = stepSchema.safeParse({ fn, args: rest });
    expect(error?.issues[0]?.message).toBe(`step ${fn} requires the argument ${missing}`);
  }
});

test.each([
  [{ fn: 'fly', args: {} }, 'there is no step function "fly"'],
  [{ fn: 'toString', args: {} }, 'there is no step function "toString"'],
  [{ fn: 'go_to', args: { url: 'x', speed: '1' } }, 'there is no step argument "speed"'],
  [
    { fn: 'sleep', args: { seconds: 'a while' } },
    'the argument seconds must be a number of 0 or more',
  ],
  [
    { fn: 'wpm_wait', args: { seconds: '-1' } },
    'the argument seconds must be a number of 0 or more',
  ],
])('refuses %j', (step, message) => {
  expect(stepSchema.safeParse(step).error?.issues[0]?.message).toBe(message);
});

const goTo = { fn: 'go_to', args: { url: 'https://example.com' } };
const click = { fn: 'click', args: { element: 'a' } };
const wpmGoTo = { fn: 'wpm_go_to', args: { url: 'https://example.com' } };

test.each([
  ['no step', [], 'a transaction has at least one step'],
  ['no go_to', [click], 'a script has exactly one go_to step, not 0'],
  ['two go_to', [goTo, click, goTo], 'a script has exactly one go_to step, not 2'],
  ['both kinds', [goTo, wpmGoTo], 'steps that begin with wpm_ belong in recordings only'],
])('refuses a transaction with %s', (_what, steps, message) => {
  expect(stepsSchema.safeParse(steps).error?.issues[0]?.message).toBe(message);
});

test.each([
  ['a script with one go_to', [goTo, click]],
  ['a recording that goes to two pages', [wpmGoTo, wpmGoTo]],
])('takes %s', (_what, steps) => {
  expect(stepsSchema.safeParse(steps).success).toBe(true);
});
