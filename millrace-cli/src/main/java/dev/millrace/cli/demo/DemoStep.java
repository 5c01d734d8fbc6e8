package dev.millrace.cli.demo;

/** Something that the demo shows. */
interface DemoStep {
  /** What it shows, in a few words. */
  String title();

  /** What is about to happen, in plain words. */
  String story();

  /** Does it, and checks that it was so. */
  void play(Stage stage) throws InterruptedException;
}
