/** The same function, whose mistakes are uncaught exceptions and no concern of whoever calls it. @internal */
export function contained<A extends readonly unknown[]>(call: (...args: A) => void): (...args: A) => void {
  return (...args) => {
    try {
      call(...args);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}
