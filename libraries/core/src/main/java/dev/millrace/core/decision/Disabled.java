package dev.millrace.core.decision;

/**
 * Why a request was refused although no limit was exceeded: its bucket is switched off.
 *
 * @param entityId whose bucket; perhaps an ancestor of who asked
 * @param resource of what
 */
public record Disabled(String entityId, String resource) implements Refusal {}
