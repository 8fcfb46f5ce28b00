-- What a page shows only when its reader asks. Quarto uses this filter as an extension, our own builder (website/) as a filter of
-- pandoc. Both hand over a code cell as a div `.cell` with its options as attributes, in it a code block `.cell-code` and a div
-- `.cell-output` for each stored output.
--
-- guess: true        the stored outputs wait in a fold
-- code-summary: Solution    code and outputs are in one fold
-- a question of aucbook.explore    the code that computes its answer comes below it
-- live-check: true   a checker is not shown
-- live: true         data and scripts with which the cell runs in the page (our builder adds its own)
local web = FORMAT:match("html")
local ANSWER = "Show what it says"
local QUESTION = 'class="predict"'

-- ---- blocks

local function html(text) return pandoc.RawBlock("html", text) end

local function escaped(text)
  return (text:gsub("[&<>]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }))
end

local function is_on(cell, option) return cell.attributes[option] == "true" end

local function is_code(block) return block.t == "CodeBlock" and block.classes:includes("cell-code") end

local function is_output(block) return block.t == "Div" and block.classes:includes("cell-output") end

local function fold(summary, kind, blocks)
  local out = pandoc.Blocks { html('<details class="' .. kind .. '"><summary>' .. escaped(summary) .. "</summary>") }
  out:extend(blocks)
  out:insert(html("</details>"))
  return out
end

-- the blocks of a cell: (code, outputs, whatever else stands in it)
local function parts(cell)
  local code, outputs, others = pandoc.Blocks {}, pandoc.Blocks {}, pandoc.Blocks {}
  for _, block in ipairs(cell.content) do
    if is_code(block) then code:insert(block)
    elseif is_output(block) then outputs:insert(block)
    else others:insert(block) end
  end
  return code, outputs, others
end

local function has_question(outputs)
  local found = false
  outputs:walk { RawBlock = function(block) found = found or block.text:find(QUESTION, 1, true) ~= nil end }
  return found
end

-- Quarto makes a figure of a labelled cell or output, and may take it apart
local function is_figure(cell, outputs)
  if cell.identifier:match("^fig%-") then return true end
  for _, output in ipairs(outputs) do
    if output.identifier:match("^fig%-") then return true end
  end
  return false
end

-- ---- names in Python code, as far as a checker of a few lines needs them

local KEYWORDS = {}
for word in ([[False None True and as assert break class continue def del elif else except finally for from global if import in is
  lambda nonlocal not or pass raise return try while with yield]]):gmatch("%a+") do KEYWORDS[word] = true end

-- the code without comments and strings; of an f-string the expressions stay
local function without_strings(code)
  local out, i = {}, 1
  while i <= #code do
    local here = code:sub(i, i)
    if here == "#" then
      i = code:find("\n", i, true) or #code + 1
    elseif here == '"' or here == "'" then
      local quote = code:sub(i, i + 2) == here:rep(3) and here:rep(3) or here
      local prefix = code:sub(1, i - 1):match("%f[%w_]([fFrRbB]+)$") or ""
      for _ = 1, #prefix do out[#out] = nil end
      local j = i + #quote
      while j <= #code and code:sub(j, j + #quote - 1) ~= quote do
        j = j + (code:sub(j, j) == "\\" and 2 or 1)
      end
      if prefix:lower():find("f", 1, true) then
        for inside in code:sub(i + #quote, j - 1):gmatch("{([^{}:!]+)") do out[#out + 1] = " (" .. inside .. ") " end
      end
      out[#out + 1] = '""'
      i = j + #quote
    else
      out[#out + 1] = here
      i = i + 1
    end
  end
  return table.concat(out)
end

local function add_names(text, names)
  for name in text:gsub("%.[%a_][%w_]*", ""):gmatch("%f[%w_][%a_][%w_]*") do
    if not KEYWORDS[name] then names[name] = true end
  end
end

-- names that lines of code bind by assignment, in a loop or in a comprehension
local function add_targets(line, names)
  for targets in line:gmatch("%f[%w_]for%s+(.-)%s+in%f[^%w_]") do add_names(targets, names) end
  local rest = line:gsub("%f[%w_][%a_][%w_]*%b()", ""):gsub("%b()", function(inside) return inside:find("=", 1, true) and "" or inside end)
  rest = rest:gsub("%b[]", "")
  while true do
    local targets, after = rest:match("^%s*([%w_,%s%(%)%*]-)%s*[%+%-%*/%%|&^@<>]*=(.*)$")
    if not targets or after:sub(1, 1) == "=" or targets == "" then break end
    add_names(targets, names)
    rest = after
  end
end

-- the names that a cell binds for those after it
local function bound_names(code)
  local names, inside = {}, false      -- inside a function or class, whose names are its own
  for line in (without_strings(code) .. "\n"):gmatch("(.-)\n") do
    local defined = line:match("^def%s+([%w_]+)") or line:match("^class%s+([%w_]+)")
    if defined then
      names[defined] = true
      inside = true
    elseif line:match("^%S") and not line:match("^[%)%]}]") then
      inside = false
    end
    local imported = line:match("^%s*from%s+%S+%s+import%s+(.+)$") or line:match("^%s*import%s+(.+)$")
    if imported and not inside then
      for one in (imported .. ","):gmatch("(.-),") do
        names[one:match("%sas%s+([%w_]+)") or one:match("([%w_]+)") or ""] = true
      end
    elseif not inside and not defined then
      add_targets(line, names)
    end
  end
  names[""] = nil
  return names
end

-- the names that a checker reads and does not bind itself
local function needed_names(code)
  local text = without_strings(code)
  local own, names = bound_names(code), {}
  for line in (text .. "\n"):gmatch("(.-)\n") do
    add_targets(line, own)
    local defined, arguments = line:match("^%s*def%s+([%w_]+)%s*(%b())")
    if defined then add_names(defined .. arguments, own) end
    for name in line:gmatch("%f[%w_]as%s+([%w_]+)") do own[name] = true end
    for lambda in line:gmatch("%f[%w_]lambda%s*(.-):") do add_names(lambda, own) end
  end
  add_names(text:gsub("([%(,]%s*)[%a_][%w_]*=([^=])", "%1%2"), names)
  for name in pairs(own) do names[name] = nil end
  return names
end

local function sorted(names)
  local out = pandoc.List {}
  for name in pairs(names) do out:insert(name) end
  out:sort()
  return out
end

-- ---- live cells

local lives = {}      -- what the script of the page must know of each, in the order of the page

local function code_of(cell)
  local code = ""
  for _, block in ipairs(cell.content) do
    if is_code(block) then code = code .. block.text end
  end
  return code
end

-- a live cell is noted, a checker becomes a part of the one before it
local function note_live(cell, page_names)
  if is_on(cell, "live") then
    local own = bound_names(code_of(cell))
    for name in pairs(own) do page_names[name] = true end
    lives[#lives + 1] = { own = own, data = {} }
  elseif is_on(cell, "live-check") and #lives > 0 then
    local last, code = lives[#lives], code_of(cell)
    local needs, own = needed_names(code), {}
    for name in pairs(needs) do
      if not page_names[name] then needs[name] = nil end
    end
    for name in pairs(needs) do
      if last.own[name] then own[name] = true end
    end
    last.data.check = { code = code, needs = sorted(needs), own = sorted(own) }
  end
end

local function script_data(data)
  local text = next(data) and pandoc.json.encode(data) or "{}"
  return html('<script type="application/json">' .. text:gsub("<", "\\u003c") .. "</script>")
end

-- style, and where `python -m website quarto` has put them the scripts
local function add_scripts()
  local path = quarto.utils.resolve_path("live.js")
  local file = io.open(path)
  if not file then return end
  file:close()
  quarto.doc.add_html_dependency {
    name = "aucbook", version = "0.3.0",
    stylesheets = { "live.css" },
    scripts = { { path = "live.js", afterBody = true } },
    resources = { "live-runtime.js", "live-licenses.txt" },
  }
end

-- ---- cells

local number = 0      -- of live cells

local function changed(cell)
  if not cell.classes:includes("cell") then return nil end
  if is_on(cell, "live-check") then return {} end
  if not web then return nil end
  local code, outputs, others = parts(cell)
  local is_live = is_on(cell, "live")
  if is_on(cell, "guess") and #outputs > 0 then
    cell.attributes.guess = nil
    if is_figure(cell, outputs) then return fold(ANSWER, "fold guess", { cell }) end
    outputs = fold(ANSWER, "fold guess", outputs)
  elseif #code > 0 and code[1].attributes["code-summary"] == "Solution" then
    code[1].attributes["code-fold"], code[1].attributes["code-summary"] = nil, nil
    code:extend(outputs)
    cell.content = fold("Solution", "fold", code) .. others
    return cell
  elseif #code > 0 and code[1].attributes["code-fold"] and has_question(outputs) then
    cell.classes:insert("computed")
    cell.content = outputs .. code .. others
    return cell
  end
  cell.content = code .. outputs .. others
  if is_live then
    number = number + 1
    cell.attributes.live = nil
    cell.identifier = "live-" .. number
    cell.classes:insert("live")
    cell.content:insert(script_data(lives[number].data))
  end
  return cell
end

function Pandoc(doc)
  local page_names = {}
  doc.blocks:walk { traverse = "topdown", Div = function(cell) note_live(cell, page_names) end }
  if quarto and web and #lives > 0 then add_scripts() end
  doc.blocks = doc.blocks:walk { traverse = "topdown", Div = changed }
  return doc
end
