package dev.millrace.proving.http;

/** Where a server under trial keeps its buckets. */
public enum StoreKind {
  /** In memory: what is measured is the server. */
  MEMORY,
  /** DynamoDB Local: every write is a round trip to another process. */
  ENGINE
}
