import { Component, type ReactNode, useRef } from 'react';
import { CardView, CarouselView } from './blocks/card.tsx';
import { ContainerView } from './blocks/container.tsx';
import { DataTableView } from './blocks/data-table.tsx';
import { ImageView } from './blocks/image.tsx';
import { InputView } from './blocks/input.tsx';
import { MarkdownView } from './blocks/markdown.tsx';
import { Placeholder } from './blocks/placeholder.tsx';
import { RichTextView } from './blocks/rich-text.tsx';
import { SectionView } from './blocks/section.tsx';
import { ActionsView, AlertView, ContextView, HeaderView } from './blocks/simple.tsx';
import { TableView } from './blocks/table.tsx';
import { PlanView, TaskView } from './blocks/tasks.tsx';
import { FileView, VideoView } from './blocks/video.tsx';
import { ChartView } from './charts/chart.tsx';
import type { Block } from './shapes.ts';
import { useFieldFocus } from './use-field-focus.ts';

/** A block as it comes over the wire. */
type WireBlock = Readonly<Record<string, unknown>>;

/** Shows blocks in order; they need a `SurfaceContext`. A block that cannot be drawn shows its text. */
export function Blocks({ blocks }: { readonly blocks: readonly WireBlock[] }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useFieldFocus(box, blocks);
  return (
    <div ref={box} className="kit-blocks">
      {blocks.map((block, index) => {
        const key = `${String(block.type)} ${String(block.block_id ?? index)}`;
        return (
          <Boundary key={key} block={block}>
            <div className={`kit-block kit-block-${String(block.type)}`}>
              {/* The sandbox took the block only after it had checked its shape. */}
              <BlockView block={block as unknown as Block} />
            </div>
          </Boundary>
        );
      })}
    </div>
  );
}

function BlockView({ block }: { readonly block: Block }): ReactNode {
  switch (block.type) {
    case 'actions':
    case 'context_actions':
      return <ActionsView block={block} />;
    case 'alert':
      return <AlertView block={block} />;
    case 'card':
      return <CardView block={block} />;
    case 'carousel':
      return <CarouselView block={block} />;
    case 'container':
      return (
        <ContainerView block={block}>
          <Blocks blocks={block.child_blocks.map((child) => ({ ...child }))} />
        </ContainerView>
      );
    case 'context':
      return <ContextView block={block} />;
    case 'data_table':
      return <DataTableView block={block} />;
    case 'data_visualization':
      return <ChartView block={block} />;
    case 'divider':
      return <hr className="kit-divider" />;
    case 'file':
      return <FileView block={block} />;
    case 'header':
      return <HeaderView block={block} />;
    case 'image':
      return <ImageView block={block} />;
    case 'input':
      return <InputView block={block} />;
    case 'markdown':
      return <MarkdownView text={block.text} />;
    case 'plan':
      return <PlanView block={block} />;
    case 'rich_text':
      return <RichTextView block={block} />;
    case 'section':
      return <SectionView block={block} />;
    case 'table':
      return <TableView block={block} />;
    case 'task_card':
      return <TaskView block={block} />;
    case 'video':
      return <VideoView block={block} />;
    default:
      return <Placeholder block={block} />;
  }
}

interface BoundaryProps {
  readonly block: WireBlock;
  readonly children: ReactNode;
}

/** Keeps a block that cannot be drawn from taking the others with it. */
class Boundary extends Component<BoundaryProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidUpdate({ block }: BoundaryProps) {
    if (this.state.isBroken && block !== this.props.block) this.setState({ isBroken: false });
  }

  override render(): ReactNode {
    return this.state.isBroken ? <Placeholder block={this.props.block} /> : this.props.children;
  }
}
