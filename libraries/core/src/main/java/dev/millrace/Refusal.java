package dev.millrace;

/** Why a request was not admitted: a limit that it exceeds, or a bucket that is switched off. */
public sealed interface Refusal permits Rejection, DisabledBucket {}
