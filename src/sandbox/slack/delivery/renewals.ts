/** Has connections renewed one after the other, so that an app which holds several always has one. */
export interface Renewals<Connection> {
  /** A connection has come to its age: it is asked to go, at once or when it is its turn. */
  due(connection: Connection): void;
  opened(): void;
  closed(connection: Connection): void;
}

/**
 * Creates the order in which connections are renewed: the next is asked when the one before is closed and another was opened in its place. Slack's connections
 * end at different moments; here time can be moved past the end of them all at once.
 */
export function createRenewals<Connection>(ask: (connection: Connection) => void): Renewals<Connection> {
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
    due(connection) {
      waiting.add(connection);
      goOn();
    },
    opened() {
      if (underWay) underWay.isReplaced = true;
      goOn();
    },
    closed(connection) {
      waiting.delete(connection);
      if (underWay?.connection === connection) underWay.isClosed = true;
      goOn();
    },
  };
}
