import { InvalidArgumentError } from 'commander';

/** Reads the value of a flag. Throws an `InvalidArgumentError` for anything else. */
export function integerBetween(
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
    throw new InvalidArgumentError(`must be a whole number, ${range}`);
  };
}
