-- Quarto's callouts, cross references and figures for plain pandoc: as HTML for pages, as plain text and headings for copies
-- in Markdown. Numbers run per page, as Quarto's do on a website.
local web = FORMAT:match("html")
local words = { fig = "Figure", eq = "Equation" }
local numbers, counts = {}, { fig = 0, eq = 0 }

local function register(id, kind)
  counts[kind] = counts[kind] + 1
  numbers[id] = counts[kind]
  return counts[kind]
end

local function html(text) return pandoc.RawBlock("html", text) end

local function escaped(text)
  return (text:gsub("[&<>]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }))
end

-- the code of a cell, in a fold if it says so
local function code(block)
  local folded, summary = block.attributes["code-fold"], block.attributes["code-summary"] or "Code"
  local shown = pandoc.CodeBlock(block.text, pandoc.Attr(block.identifier, { block.classes[1] }))
  if not web or not folded then return shown end
  local opening = '<details class="fold"' .. (folded == "show" and " open" or "") .. "><summary>"
  return { html(opening .. escaped(summary) .. "</summary>"), shown, html("</details>") }
end

-- what a cell printed is no language: pandoc would read all its syntaxes, two thirds of a page's time, to find none called "output"
local function output(block)
  if block.classes:includes("cell-code") then return code(block) end
  if not web or not block.classes:includes("output") then return nil end
  return html('<pre class="' .. table.concat(block.classes, " ") .. '"><code>' .. escaped(block.text) .. "</code></pre>")
end

-- a display formula of several statements, set apart by \qquad: one below the other where the page is too narrow
local function parts(math)
  if not web or math.text:find("\\begin", 1, true) or not math.text:find("\\qquad", 1, true) then return math end
  local out = pandoc.Inlines {}
  for part in (math.text .. "\\qquad"):gmatch("(.-)\\qquad") do out:insert(pandoc.Math("DisplayMath", part)) end
  return pandoc.Span(out, pandoc.Attr("", { "parts" }))
end

-- $$ … $$ {#eq-x}: pandoc sees a display formula, a space and a word
local function equations(inlines)
  local out = pandoc.Inlines {}
  local i = 1
  while i <= #inlines do
    local math, label = inlines[i], nil
    local j = i + 1
    if math.t == "Math" and math.mathtype == "DisplayMath" then
      if inlines[j] and (inlines[j].t == "Space" or inlines[j].t == "SoftBreak") then j = j + 1 end
      label = inlines[j] and inlines[j].t == "Str" and inlines[j].text:match("^{#(eq%-[%w%-]+)}$")
    end
    if label then
      local n = register(label, "eq")
      if not web then
        math.text = math.text:gsub("%s+$", "") .. " \\tag{" .. n .. "} "
        out:insert(math)
      else out:insert(pandoc.Span({ parts(math), pandoc.RawInline("html", '<span class="eqno">(' .. n .. ")</span>") }, pandoc.Attr(label, { "equation" }))) end
      i = j
    elseif web and #inlines > 3 and math.t == "Str" and math.text:match("^[^%s]*%($") and inlines[i + 1] and inlines[i + 1].t == "Math" and inlines[i + 1].mathtype == "InlineMath" then
      local pair = pandoc.Inlines { math, inlines[i + 1] }      -- nor ends one with the parenthesis before a formula
      local after = inlines[i + 2]
      if after and after.t == "Str" and after.text:match("^[,.;:!?)]") then pair:insert(after) end
      out:insert(pandoc.Span(pair, pandoc.Attr("", { "together" })))
      i = i + #pair - 1
    elseif web and #inlines > 2 and math.t == "Math" and inlines[i + 1] and inlines[i + 1].t == "Str" and inlines[i + 1].text:match("^[,.;:!?)]") then
      i = i + 1                                      -- no line begins with the comma after a formula (a pair is such a span already)
      out:insert(pandoc.Span({ math, inlines[i] }, pandoc.Attr("", { "together" })))
    else
      out:insert(math.t == "Math" and math.mathtype == "DisplayMath" and parts(math) or math)
    end
    i = i + 1
  end
  return out
end

local function figure(div)
  local caption = pandoc.Blocks {}
  local body = pandoc.Blocks {}
  for _, block in ipairs(div.content) do
    if block.t == "Div" and block.classes:includes("figcaption") then caption = block.content else body:insert(block) end
  end
  local opening = "<figure>"
  if div.identifier ~= "" then
    local n = register(div.identifier, "fig")
    opening = '<figure id="' .. div.identifier .. '">'
    if caption[1] then caption[1].content:insert(1, pandoc.Strong({ pandoc.Str("Figure " .. n .. ". ") })) end
  end
  if not web then
    if caption[1] and numbers[div.identifier] then
      caption[1].content[1] = pandoc.Strong { pandoc.Str("Figure " .. numbers[div.identifier] .. ".") }
      caption[1].content:insert(2, pandoc.Space())
    end
    body:extend(caption)
    return body
  end
  local out = pandoc.Blocks { html(opening) }
  out:extend(body)
  if #caption > 0 then
    out:insert(html("<figcaption>")); out:extend(caption); out:insert(html("</figcaption>"))
  end
  out:insert(html("</figure>"))
  return out
end

local function callout(div, kind)
  local title = div.attributes.title or (kind:sub(1, 1):upper() .. kind:sub(2))
  if not div.attributes.title and div.content[1] and div.content[1].t == "Header" then
    title = pandoc.utils.stringify(div.content:remove(1))
  end
  local out = pandoc.Blocks {}
  if not web then
    out:insert(pandoc.Para { pandoc.Strong(pandoc.utils.blocks_to_inlines(pandoc.read(title, "html").blocks)) })
    out:extend(div.content)
    return out
  end
  for _, class in ipairs { "depth", "names" } do
    if div.classes:includes(class) then kind = kind .. " " .. class end
  end
  if div.attributes.collapse == "true" then
    local id = div.identifier ~= "" and ' id="' .. div.identifier .. '"' or ""
    out:insert(html("<details" .. id .. ' class="callout ' .. kind .. '"><summary>' .. title .. "</summary>"))
    out:extend(div.content); out:insert(html("</details>"))
  else
    out:insert(html('<aside class="callout ' .. kind .. '"><p class="callout-title">' .. title .. "</p>"))
    out:extend(div.content); out:insert(html("</aside>"))
  end
  return out
end

-- what stands for a div, as a div again: a walk from the top goes into what a function returns, and would pass by what lies in a list
local function inside(blocks) return pandoc.Div(blocks, pandoc.Attr("", { "inside" })) end

local function divs(div)
  if div.classes:includes("figure") then return inside(figure(div)) end
  if div.classes:includes("cell-output") then return inside(div.content) end
  for _, class in ipairs(div.classes) do
    local kind = class:match("^callout%-(%a+)$")
    if kind then return inside(callout(div, kind)) end
  end
end

local function unwrapped(div)
  if div.classes:includes("inside") then return div.content end
end

local function references(cite)
  local id = cite.citations[1].id
  local kind = id:match("^(%a+)%-")
  if not words[kind] then return nil end
  if not numbers[id] then error("unresolved reference @" .. id) end
  local gap = web and "\u{a0}" or " "
  local text = words[kind] .. gap .. numbers[id]
  if not web then return pandoc.Str(text) end
  return pandoc.Link(text, "#" .. id, "", { class = "xref" })
end

-- topdown, so that figures and equations are numbered in the order a reader meets them
return { { traverse = "topdown", Inlines = equations, Div = divs, CodeBlock = output }, { Cite = references, Div = unwrapped } }
