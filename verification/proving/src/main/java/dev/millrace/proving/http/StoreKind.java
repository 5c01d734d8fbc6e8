package dev.millrace.proving.http;

/** The store of a server under test. */
public enum StoreKind {
  /** In memory: what is measured is the server. */
  MEMORY,
  /** DynamoDB Local: every write is a round trip to another process. */
  ENGINE
}
