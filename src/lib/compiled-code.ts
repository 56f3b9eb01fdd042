/** The options of V8 with which code that runs often is compiled, as by default. */
export const compiledCode = ['--sparkplug', '--opt'] as const;
