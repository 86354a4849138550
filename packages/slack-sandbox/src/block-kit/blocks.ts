import { z } from 'zod';
import { card, carousel } from './blocks/cards.ts';
import { dataVisualization } from './blocks/charts.ts';
import { container } from './blocks/container.ts';
import { actions, contextActions, input } from './blocks/interactive-blocks.ts';
import { context, file, image, video } from './blocks/media-blocks.ts';
import { dataTable, table } from './blocks/tables.ts';
import { plan, taskCard } from './blocks/tasks.ts';
import { alert, divider, header, markdown, section } from './blocks/text-blocks.ts';
import { richText } from './rich-text.ts';
import { unionForSurface } from './surface-union.ts';
import { blockSurfaces, type Surface } from './surfaces.ts';

/** Builds the schema for all blocks of a surface. Each block is checked on its own. */
export function blocksSchema(surface: Surface, max: number) {
  const kinds = {
    actions: actions(surface),
    alert,
    card,
    carousel,
    container: container(surface),
    context,
    context_actions: contextActions(surface),
    data_table: dataTable,
    data_visualization: dataVisualization,
    divider,
    file,
    header,
    image,
    input: input(surface),
    markdown,
    plan,
    rich_text: richText,
    section: section(surface),
    table,
    task_card: taskCard,
    video,
  };
  return z.array(unionForSurface(kinds, blockSurfaces, surface)).max(max);
}
