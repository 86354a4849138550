import type {
  ActionsBlockElement,
  CardBlock,
  ContextActionsBlockElement,
  HeaderBlock,
  IconButton,
  InputBlockElement,
  KnownBlock,
  MessageAttachment,
  MrkdwnElement,
  SectionBlockAccessory,
  Block as SlackBlock,
  TextObject,
} from '@slack/types';

/** A chart: docs.slack.dev/reference/block-kit/blocks/data-visualization-block. */
export interface DataVisualizationBlock extends SlackBlock {
  readonly type: 'data_visualization';
  readonly title: string;
  readonly chart: Pie | AxisChart;
}

export interface Point {
  readonly label: string;
  readonly value: number;
}

export interface Pie {
  readonly type: 'pie';
  readonly segments: readonly Point[];
}

export interface AxisChart {
  readonly type: 'bar' | 'line' | 'area';
  readonly series: readonly Series[];
  readonly axis_config: {
    readonly categories: readonly string[];
    readonly x_label?: string;
    readonly y_label?: string;
  };
}

export interface Series {
  readonly name: string;
  readonly data: readonly Point[];
}

/** Adds fields that Slack documents but that are missing from its type package. */
export type Card = Omit<CardBlock, 'title' | 'subtitle' | 'body'> & {
  readonly title?: TextObject;
  readonly subtitle?: TextObject;
  readonly body?: TextObject;
  readonly subtext?: TextObject;
  readonly slack_icon?: { readonly type: 'icon'; readonly name: string };
};
export type Header = HeaderBlock & { readonly level?: number };
export type Carousel = SlackBlock & { readonly type: 'carousel'; readonly elements: readonly Card[] };

/** A block that the server has validated. Unknown kinds stay unchanged. */
export type Block =
  | Exclude<KnownBlock, { type: 'header' | 'card' | 'carousel' }>
  | Card
  | Carousel
  | DataVisualizationBlock
  | Header;

/** An interactive element in any block. */
export type Element =
  | ActionsBlockElement
  | Exclude<SectionBlockAccessory, { type: 'image' }>
  | InputBlockElement
  | Exclude<ContextActionsBlockElement, IconButton>
  | (IconButton & { readonly visible_to_user_ids?: readonly string[] });

export type Attachment = Omit<MessageAttachment, 'blocks'> & { readonly blocks?: readonly Block[] };

/** A text object of either kind. */
export type Text = TextObject | MrkdwnElement;
