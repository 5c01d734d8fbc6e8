package dev.millrace.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;

/**
 * A Markdown file of the repository.
 *
 * @param blocks what is fenced as code
 * @param links where it points to
 * @param codes what stands as code within its sentences
 * @param html blocks and tags, comments included
 */
record Document(
    List<CodeBlock> blocks, List<Reference> links, List<Reference> codes, List<String> html) {
  private static final Parser PARSER =
      Parser.builder()
          .extensions(List.of(TablesExtension.create()))
          .includeSourceSpans(IncludeSourceSpans.BLOCKS_AND_INLINES)
          .build();

  /**
   * A link, an image, or code within a sentence.
   *
   * @param line where it stands, from 1
   * @param target where it leads, or what it says, as it is written
   */
  record Reference(int line, String target) {}

  Document {
    blocks = List.copyOf(blocks);
    links = List.copyOf(links);
    codes = List.copyOf(codes);
    html = List.copyOf(html);
  }

  /** Reads a file of the repository at {@code root}. */
  static Document read(Path root, String path) throws IOException {
    return parse(path, Files.readString(root.resolve(path)));
  }

  static Document parse(String path, String text) {
    Collector collector = new Collector(path);
    PARSER.parse(text).accept(collector);
    return new Document(collector.blocks, collector.links, collector.codes, collector.html);
  }

  /** The line on which a node begins, from 1. */
  private static int line(Node node) {
    return node.getSourceSpans().isEmpty() ? 1 : node.getSourceSpans().get(0).getLineIndex() + 1;
  }

  private static final class Collector extends AbstractVisitor {
    private final String path;
    private final List<CodeBlock> blocks = new ArrayList<>();
    private final List<Reference> links = new ArrayList<>();
    private final List<Reference> codes = new ArrayList<>();
    private final List<String> html = new ArrayList<>();
    private final StringBuilder given = new StringBuilder();
    private String proof = "";

    Collector(String path) {
      this.path = path;
    }

    @Override
    public void visit(HtmlBlock block) {
      html.add(block.getLiteral());
      given.append(CodeBlock.given(block.getLiteral()));
      proof = CodeBlock.proof(block.getLiteral());
    }

    @Override
    public void visit(HtmlInline tag) {
      html.add(tag.getLiteral());
    }

    @Override
    public void visit(FencedCodeBlock block) {
      String info = block.getInfo() == null ? "" : block.getInfo().strip();
      blocks.add(
          new CodeBlock(path, line(block), info, block.getLiteral(), given.toString(), proof));
      proof = "";
    }

    @Override
    public void visit(Link link) {
      links.add(new Reference(line(link), link.getDestination()));
      visitChildren(link);
    }

    @Override
    public void visit(Code code) {
      codes.add(new Reference(line(code), code.getLiteral()));
    }

    @Override
    public void visit(Image image) {
      links.add(new Reference(line(image), image.getDestination()));
      visitChildren(image);
    }
  }
}
