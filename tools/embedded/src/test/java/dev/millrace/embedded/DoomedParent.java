package dev.millrace.embedded;

import java.io.IOException;

/** A program that holds two engines until it is killed. */
final class DoomedParent {

  private DoomedParent() {}

  public static void main(String[] args) throws IOException {
    EmbeddedDynamo first = EmbeddedDynamo.inMemory().start();
    EmbeddedDynamo second = EmbeddedDynamo.inMemory().start();
    System.out.println(first.pid());
    System.out.println(second.pid());
    int unused = System.in.read();
    first.close();
    second.close();
  }
}
