import fc from 'fast-check';

/**
 * fast-check with the seed of all tests that draw lots: SEED, or 1, so that what fails for one person fails for all.
 * `SEED=$RANDOM npm run test:long` looks for what seed 1 does not find.
 */
fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) });

export default fc;
