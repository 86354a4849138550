import type { ApprovalCard, ApprovalCards } from '../../../src/runs/pipeline/approval/approval-card.ts';
import type { Gate } from '../machine/shared-database.ts';
import type { World } from '../world.ts';

/** The channel with the approval cards. Survives crashes. */
export interface CardBoard {
  createCards(gate: Gate): ApprovalCards;
  /** Called with each card that people see. */
  onCard: (card: ApprovalCard) => void;
}

export function createCardBoard(world: World): CardBoard {
  function show(card: ApprovalCard): void {
    world.record({ kind: 'asked', runId: card.run.id });
    world.time.outside(() => board.onCard(card));
  }

  const board: CardBoard = {
    onCard() {},
    createCards: (gate) => ({
      async post(card) {
        await gate('before a card');
        show(card);
        await gate('after a card');
        return [{ channel: 'C2', ts: String(world.time.now()) }];
      },
      async update(card) {
        await gate('before a card');
        show(card);
        await gate('after a card');
      },
      close: async () => {},
    }),
  };
  return board;
}
