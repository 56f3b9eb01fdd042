import type { Step } from './step.ts';
import type { TransactionSettings } from './transaction-settings.ts';

/** What a transaction of the seeded account does. */
export interface Journey {
  readonly name: string;
  readonly tags: readonly string[];
  readonly steps: readonly Step[];
  /** Of a recording. */
  readonly metadata?: NonNullable<TransactionSettings['metadata']>;
}

const shop = 'https://shop.example.com';

export const journeys: readonly Journey[] = [
  {
    name: 'Log in as "demo"',
    tags: ['login', 'team_web'],
    steps: [
      { fn: 'go_to', args: { url: `${shop}/login` } },
      { fn: 'fill', args: { input: 'email', value: 'demo@example.com' } },
      { fn: 'fill', args: { input: 'password', value: 'demo' } },
      { fn: 'submit', args: { form: '#login' } },
      { fn: 'wait_for_contains', args: { element: 'h1', value: 'Welcome back' } },
    ],
  },
  {
    name: 'Buy as a guest',
    tags: ['checkout', 'team_payments'],
    steps: [
      { fn: 'wpm_go_to', args: { url: shop } },
      { fn: 'wpm_click', args: { element: 'a.product', offsetX: '12', offsetY: '8' } },
      { fn: 'wpm_select_dropdown', args: { select: '#size', option: 'M' } },
      { fn: 'wpm_click', args: { element: '#add-to-cart', offsetX: '40', offsetY: '10' } },
      { fn: 'wpm_wait', args: { seconds: '2' } },
      {
        fn: 'wpm_contains_timeout',
        args: {
          element: '#cart',
          value: '1 item',
          waitTime: '5000',
          useRegularExpression: 'false',
        },
      },
    ],
    metadata: { width: 1280, height: 720, disableWebSecurity: false },
  },
  {
    name: 'Search, filter & sort',
    tags: ['search', 'team_search'],
    steps: [
      { fn: 'go_to', args: { url: `${shop}/search` } },
      { fn: 'fill', args: { input: 'q', value: 'lamp' } },
      { fn: 'click', args: { element: 'Search' } },
      { fn: 'select', args: { select: 'sort', option: 'Price' } },
      { fn: 'sleep', args: { seconds: '1' } },
      { fn: 'not_contains', args: { element: '#results', value: 'Nothing found' } },
    ],
  },
  {
    name: 'Subscribe to the newsletter',
    tags: ['newsletter'],
    steps: [
      { fn: 'go_to', args: { url: `${shop}/newsletter` } },
      { fn: 'check', args: { checkbox: 'agree' } },
      { fn: 'select_radio', args: { radio: 'weekly' } },
      { fn: 'is_checked', args: { checkbox: 'agree' } },
      { fn: 'submit', args: { form: 'newsletter' } },
      { fn: 'url', args: { url: `${shop}/thanks` } },
    ],
  },
  {
    name: 'Open the back office',
    tags: ['admin', 'team_platform'],
    steps: [
      { fn: 'basic_auth', args: { username: 'admin', password: 'demo' } },
      { fn: 'go_to', args: { url: `${shop}/admin` } },
      { fn: 'exists', args: { element: '#orders' } },
      { fn: 'not_exists', args: { element: '.error' } },
    ],
  },
];
