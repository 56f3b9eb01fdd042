import type { JSX } from 'preact';
import type { Item, ItemState } from './items.ts';

/** Each state has its own word, shape and sign in addition to its colour. */
const appearance: {
  readonly [S in ItemState]: { readonly word: string; readonly sign: () => JSX.Element };
} = {
  up: {
    word: 'Up',
    sign: () => (
      <>
        <circle cx="8" cy="8" r="7" />
        <path class="sign" d="M4.8 8.2l2.2 2.3 4.2-4.7" />
      </>
    ),
  },
  down: {
    word: 'Down',
    sign: () => (
      <>
        <rect x="1" y="1" width="14" height="14" rx="2" />
        <path class="sign" d="M5 5l6 6M11 5l-6 6" />
      </>
    ),
  },
  unconfirmed_down: {
    word: 'Unconfirmed down',
    sign: () => (
      <>
        <path d="M8 .8l7.6 14.2H.4z" />
        <path class="sign" d="M8 6v4M8 12v1" />
      </>
    ),
  },
  unknown: {
    word: 'Unknown',
    sign: () => (
      <>
        <path d="M8 .2L15.8 8 8 15.8.2 8z" />
        <path class="sign" d="M6.2 6.4a1.8 1.8 0 1 1 2.6 1.7q-.8.4-.8 1.2M8 11.2v.6" />
      </>
    ),
  },
  paused: {
    word: 'Paused',
    sign: () => (
      <>
        <rect x="2" y="1" width="4.4" height="14" rx="1" />
        <rect x="9.6" y="1" width="4.4" height="14" rx="1" />
      </>
    ),
  },
};

export function StateIcon({ state }: { readonly state: ItemState }) {
  const Sign = appearance[state].sign;
  return (
    <svg class={`icon s-${state}`} viewBox="0 0 16 16" aria-hidden="true">
      <Sign />
    </svg>
  );
}

export function stateWord(state: ItemState): string {
  return appearance[state].word;
}

interface StateBadgeProps {
  readonly item: Pick<Item, 'state' | 'inMaintenance' | 'isLastKnown'>;
}

/** The state as a sign and a word, whether it is only the last known one, and maintenance. */
export function StateBadge({ item }: StateBadgeProps) {
  return (
    <span class={`state s-${item.state}`}>
      <StateIcon state={item.state} /> {stateWord(item.state)}
      {item.isLastKnown && (
        <>
          {' '}
          <small>last known</small>
        </>
      )}
      {item.inMaintenance && (
        <>
          {' '}
          <span class="badge calm">Maintenance</span>
        </>
      )}
    </span>
  );
}
