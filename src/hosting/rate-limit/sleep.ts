/** Longest delay of a timer. Longer ones fire immediately. */
export const maxTimerDelayMs = 2 ** 31 - 1;

/** A sleep that can be ended early. */
export interface Sleeper {
  /** Resolves after `ms`, or at `wake`. */
  sleep(ms: number): Promise<void>;
  /** Ends the sleep. If there is no sleep, the next one ends at once. */
  wake(): void;
}

export function createSleeper(): Sleeper {
  let isWoken = false;
  let end: (() => void) | undefined;
  return {
    async sleep(ms) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(Math.ceil(ms), maxTimerDelayMs));
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      end = undefined;
      isWoken = false;
    },
    wake() {
      isWoken = true;
      end?.();
    },
  };
}
