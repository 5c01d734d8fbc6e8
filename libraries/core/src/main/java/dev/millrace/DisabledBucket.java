package dev.millrace;

/**
 * A refusal although no limit was exceeded: the bucket is switched off.
 *
 * @param entityId whose bucket; perhaps an ancestor of who asked
 * @param resource of what
 */
public record DisabledBucket(String entityId, String resource) implements Refusal {}
