import { type Beginning, lengthText } from './beginnings.ts';
import { Moment } from './format.tsx';
import type { Item } from './items.ts';

/** The text in place of a start that is not known. */
export function unknownStart({ wasTested }: Item): string {
  return wasTested ? 'start time unknown' : 'never tested';
}

interface SinceProps {
  readonly beginning: Beginning;
  readonly now: number;
  readonly toTheMinute?: boolean;
}

/** The duration and the start of a state. */
export function Since({ beginning, now, ...form }: SinceProps) {
  return (
    <>
      {lengthText(beginning, now)}{' '}
      <small>
        {beginning.isExact ? 'since' : 'since before'} <Moment at={beginning.atSeconds} {...form} />
      </small>
    </>
  );
}
