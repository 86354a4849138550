import type { World } from '../world.ts';

/** A card that asks people to approve a run. */
export interface SimulatedCard {
  /** The value of its buttons. */
  readonly token: string;
  readonly vps: readonly string[];
}

/** The channel with the approval cards. Survives crashes. */
export interface CardBoard {
  /** Records the text of a card that Slack shows. */
  show(text: string): void;
  /** Called with each card that people see. */
  onCard: (card: SimulatedCard) => void;
}

/** Returns the text of a card. */
export function toCardText(card: SimulatedCard & { readonly runId: string }): string {
  return `card ${JSON.stringify(card)}`;
}

export function createCardBoard(world: Pick<World, 'record' | 'time'>): CardBoard {
  const board: CardBoard = {
    onCard() {},
    show(text) {
      if (!text.startsWith('card ')) return;
      const { runId, ...card }: SimulatedCard & { runId: string } = JSON.parse(text.slice('card '.length));
      world.record({ kind: 'asked', runId });
      world.time.outside(() => board.onCard(card));
    },
  };
  return board;
}
