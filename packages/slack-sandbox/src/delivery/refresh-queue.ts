/**
 * Renews connections one after another, so that an app with several connections always has one that
 * is open.
 */
export interface RefreshQueue<Connection> {
  /**
   * Queues a connection for renewal. It is asked to close immediately, or once the connections
   * queued before it were renewed.
   */
  enqueue(connection: Connection): void;
  onOpened(): void;
  onClosed(connection: Connection): void;
}

/**
 * Creates a queue that renews connections. A connection is asked to close after the previous one
 * was closed and replaced. Slack's connections expire at different times, but here time can jump
 * past the expiry of all of them.
 */
export function createRefreshQueue<Connection>(
  ask: (connection: Connection) => void,
): RefreshQueue<Connection> {
  const waiting = new Set<Connection>();
  let underWay: { readonly connection: Connection; isReplaced: boolean; isClosed: boolean } | undefined;

  function goOn() {
    if (underWay && !(underWay.isReplaced && underWay.isClosed)) return;
    underWay = undefined;
    const [connection] = waiting;
    if (connection === undefined) return;
    waiting.delete(connection);
    underWay = { connection, isReplaced: false, isClosed: false };
    ask(connection);
  }

  return {
    enqueue(connection) {
      waiting.add(connection);
      goOn();
    },
    onOpened() {
      if (underWay) underWay.isReplaced = true;
      goOn();
    },
    onClosed(connection) {
      waiting.delete(connection);
      if (underWay?.connection === connection) underWay.isClosed = true;
      goOn();
    },
  };
}
