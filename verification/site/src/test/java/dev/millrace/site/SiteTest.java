package dev.millrace.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small repository becomes a small site. */
class SiteTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set by JUnit
  Path root;

  @BeforeEach
  void repository() throws IOException {
    Files.createDirectories(root.resolve("docs/design/adr"));
    Files.createDirectories(root.resolve("docs/operate"));
    write("pom.xml", "<project><version>1.2.3</version></project>");
    write("LICENSE", "terms");
    write(
        "README.md",
        "# Millrace\n\nSee [cost](docs/operate/cost.md#the-sum), [terms](LICENSE),"
            + " [why](docs/design/adr).\n");
    write(
        "docs/operate/cost.md",
        "# Cost\n\n## The sum\n\nBack to [start](../../README.md).\n\n## The sum\n");
    write("docs/design/adr/001-first.md", "# ADR 001: First\n\nDone.\n");
  }

  private void write(String path, String text) throws IOException {
    Files.writeString(root.resolve(path), text);
  }

  private String page(String name) throws IOException {
    Site.build(root, root.resolve("out"));
    return Files.readString(root.resolve("out").resolve(name));
  }

  @Test
  void build_linksBetweenDocuments_becomeLinksBetweenPages() throws IOException {
    assertThat(page("index.html"))
        .contains("<a href=\"operate/cost.html#the-sum\">cost</a>")
        .contains("<a href=\"files/LICENSE\">terms</a>")
        .contains("<a href=\"design/adr/index.html\">why</a>")
        .contains("Millrace 1.2.3");
    assertThat(page("design/adr/001-first.html")).contains("href=\"../../index.html\"");
  }

  @Test
  void build_headingsOfTheSameText_haveAnchorsOfTheirOwn() throws IOException {
    assertThat(page("operate/cost.html")).contains("<h2 id=\"the-sum\">", "<h2 id=\"the-sum-1\">");
  }

  @Test
  void build_screenshot_isCopied() throws IOException {
    Files.createDirectories(root.resolve("docs/images"));
    write("docs/images/page.png", "pixels");
    write("docs/operate/iam.md", "# IAM\n\n![The page](../images/page.png)\n");

    assertThat(page("operate/iam.html"))
        .contains(
            "<img class=\"screenshot\" src=\"../files/docs/images/page.png\" alt=\"The page\"");
    assertThat(root.resolve("out/files/docs/images/page.png")).hasContent("pixels");
  }

  @Test
  void build_imageOfAnotherKind_isRefused() throws IOException {
    write("docs/operate/iam.md", "# IAM\n\n![The page](page.gif)\n");

    assertThatThrownBy(() -> page("index.html"))
        .hasMessageContaining("docs/operate/iam.md:3: 'docs/operate/page.gif' is neither");
  }

  @Test
  void build_linkToNoFile_saysWhere() throws IOException {
    write("docs/operate/iam.md", "# IAM\n\nOne.\n\nGo [there](nowhere.md).\n");

    assertThatThrownBy(() -> page("index.html"))
        .isInstanceOf(SiteException.class)
        .hasMessageStartingWith("docs/operate/iam.md:5: 'nowhere.md' leads nowhere");
  }

  @Test
  void build_linkToNoHeading_saysWhere() throws IOException {
    write("docs/operate/iam.md", "# IAM\n\nGo [there](../../README.md#nowhere).\n");

    assertThatThrownBy(() -> page("index.html"))
        .hasMessageContaining("docs/operate/iam.md:3: ")
        .hasMessageContaining("README.md has no heading #nowhere");
  }

  @Test
  void build_htmlInADocument_isRefused() throws IOException {
    write("docs/operate/iam.md", "# IAM\n\n<b>no</b>\n");

    assertThatThrownBy(() -> page("index.html"))
        .hasMessageContaining("docs/operate/iam.md:3: HTML");
  }

  @Test
  void build_commentsForTheTests_areNotShown() throws IOException {
    write("docs/operate/iam.md", "# IAM\n\n<!-- given\nint x;\n-->\n```java\nint y = x;\n```\n");

    assertThat(page("operate/iam.html"))
        .doesNotContain("given")
        .contains("<span class=\"word\">int</span> y");
  }

  @Test
  void document_withoutATitle_isRefused() {
    assertThatThrownBy(() -> Document.parse("x.md", "text\n"))
        .hasMessageContaining("x.md:1: does not begin with a heading");
  }

  @Test
  void document_blocks_knowTheirPlaceAndWhatIsGiven() {
    Document document =
        Document.parse("x.md", "# X\n\n<!-- given\nint x;\n-->\n\n```yaml manifest\na: 1\n```\n");

    assertThat(document.blocks())
        .singleElement()
        .satisfies(
            block -> {
              assertThat(block.place()).isEqualTo("x.md:7");
              assertThat(block.language()).isEqualTo("yaml");
              assertThat(block.reader()).isEqualTo("manifest");
              assertThat(block.given()).isEqualTo("int x;\n\n");
            });
  }
}
