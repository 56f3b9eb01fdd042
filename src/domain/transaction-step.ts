export const transactionStepFunctions = [
  ...['go_to', 'click', 'fill', 'check', 'uncheck', 'sleep', 'select_radio', 'select'],
  ...['basic_auth', 'submit', 'wait_for_element', 'wait_for_contains', 'url', 'exists'],
  ...['not_exists', 'contains', 'not_contains', 'field_contains', 'field_not_contains'],
  ...['is_checked', 'is_not_checked', 'radio_selected', 'dropdown_selected'],
  ...['dropdown_not_selected', 'wpm_go_to', 'wpm_click', 'wpm_click_xy', 'wpm_fill'],
  ...['wpm_move_mouse_to_element', 'wpm_select_dropdown', 'wpm_wait', 'wpm_close_tab'],
  ...['wpm_contains_timeout', 'wpm_not_contains_timeout', 'unknown'],
] as const;

/** What a step of a transaction does (API 3.1, section 2.11). One the service adds later reads as `unknown`. */
export type TransactionStepFunction = (typeof transactionStepFunctions)[number];
