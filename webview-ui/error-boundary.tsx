import { Component, type ErrorInfo, type ReactNode } from "react";

interface Props {
  /** Rendered in place of the children; `again` renders the children again. */
  fallback(error: Error, again: () => void): ReactNode;
  children: ReactNode;
}

/** Contains a rendering error, so that the rest of the page stays. */
export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error("a part of the panel failed:", error, info.componentStack);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return this.props.fallback(error, () => this.setState({ error: null }));
  }
}
